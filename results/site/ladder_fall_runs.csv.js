stepbench.put("ladder_fall_runs.csv",["method","title","end","wrong","cause"],[
["shake","SHAKE",0.8,0.8,"ended at t = 0.817 s: no solution was found for the next step"],
["rk4-baumgarte","RK4 with Baumgarte, alpha = beta = 10 1/s",4.55,4.55,"from t = 4.550 s on its energy is higher than any motion from this start can have"],
["spook","SPOOK",6,null,null]
]);
