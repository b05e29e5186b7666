stepbench.put("spook07_ladder_size.csv",["part","count"],[
["coordinates",244],
["joint rows",162],
["of them loop closures",40],
["unit rows",61],
["all",467]
]);
