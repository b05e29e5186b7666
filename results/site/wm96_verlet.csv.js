stepbench.put("wm96_verlet.csv",["problem","del","other","h","steps","difference","rounding"],[
["oscillator","del:quadrature=left","verlet",0.05,500,2.553513e-15,2.482527e-11],
["kepler","del:quadrature=left","verlet",0.01443376,500,4.816807e-14,3.726905e-11],
["pendulum:constraint=norm","del:quadrature=left","shake",0.01596377,500,3.275158e-15,2.482081e-11],
["dsp:ic=printed","del:quadrature=left","shake",0.01260407,500,2.531308e-14,1.584712e-10],
["dsp:ic=printed","del","shake",0.01260407,500,3.153033e-14,1.584712e-10],
["kepler","del","verlet",0.01443376,500,0.01967953,3.726905e-11]
]);
