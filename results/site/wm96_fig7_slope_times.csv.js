stepbench.put("wm96_fig7_slope_times.csv",["method","slope","standard_error"],[
["em",0.8835945,0.0329184],
["del",0.8971358,0.02857742],
["shake",0.8935471,0.01714178],
["wm96 Table 2, EM",0.872178,0.02419594],
["wm96 Table 2, DVP",0.8524551,0.02915307]
]);
