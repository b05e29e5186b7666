stepbench.put("wm96_fig2_slope_times.csv",["method","slope","standard_error"],[
["dvp",0.9384093,0.01348756],
["wm96 Table 1",0.8383575,0.05179305]
]);
