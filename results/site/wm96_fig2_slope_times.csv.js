stepbench.put("wm96_fig2_slope_times.csv",["method","slope","standard_error"],[
["dvp",0.9383387,0.01230213],
["wm96 Table 1",0.8383575,0.05179305]
]);
