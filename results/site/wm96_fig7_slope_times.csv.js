stepbench.put("wm96_fig7_slope_times.csv",["method","slope","standard_error"],[
["em",0.8826585,0.02986042],
["del",0.8933148,0.02697177],
["shake",0.8897313,0.01680146],
["wm96 Table 2, EM",0.872178,0.02419594],
["wm96 Table 2, DVP",0.8524551,0.02915307]
]);
