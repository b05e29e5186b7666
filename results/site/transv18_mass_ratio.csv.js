stepbench.put("transv18_mass_ratio.csv",["n","ratio","stable_below","unstable_above"],[
[2,72.64535,"yes","yes"],
[3,47.87255,"yes","yes"],
[5,38.51059,"yes","yes"],
[10,32.18105,"yes","yes"],
[20,22.17702,"yes","yes"],
[40,2.177024,"yes","yes"]
]);
