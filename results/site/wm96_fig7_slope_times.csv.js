stepbench.put("wm96_fig7_slope_times.csv",["method","slope","standard_error"],[
["em",0.8969744,0.0363177],
["del",0.8868921,0.01568656],
["shake",0.8903735,0.0209396],
["wm96 Table 2, EM",0.872178,0.02419594],
["wm96 Table 2, DVP",0.8524551,0.02915307]
]);
