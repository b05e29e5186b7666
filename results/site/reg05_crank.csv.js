stepbench.put("reg05_crank.csv",["rod","redundant","c","cb_over_h","form","steps","last","error","least","status"],[
[1,0,1e-20,0,"saddle",60,15,0.01095621,0.0007647478,"reg on slider_crank:L=1,redundant=0,phi0=0 ended at step 16, t = 0.266666667: the linear system of 18 unknowns is singular at constraint 6 (pivot 0); the constraints depend on each other there, a regularization would help"],
[1,0,1e-16,2,"saddle",60,120,0.03183221,-2.030672,"ok"],
[1,0,1e-16,0,"saddle",60,120,0.01095621,-2.010936,"ok"],
[1,0,1e-20,0,"schur",60,15,0.01095621,0.0007647478,"reg on slider_crank:L=1,redundant=0,phi0=0 ended at step 16, t = 0.266666667: the linear system of 9 unknowns is singular at constraint 3 (pivot 0); the constraints depend on each other there, a regularization would help"],
[1,0,1e-16,0,"schur",60,120,0.01095621,-2.010936,"ok"],
[1,0,1e-20,0,"saddle",61,122,0.01060494,-2.007953,"ok"],
[1,1,1e-20,0,"saddle",61,0,0,"inf","reg on slider_crank:L=1,redundant=1,phi0=0 ended at step 0, t = 0: the linear system of 20 unknowns is singular at constraint 8 (pivot -3.72e-17); the constraints depend on each other there, a regularization would help"],
[1,1,1e-16,0,"saddle",61,122,0.01060494,-2.007953,"ok"],
[1,1,1e-16,0,"saddle",60,120,0.01095621,-2.010936,"ok"],
[1.0001,0,1e-20,0,"saddle",60,120,0.08935829,-0.04265972,"ok"],
[1.0001,0,1e-20,0,"saddle",2000,4000,0.0003479246,9.999951e-05,"ok"]
]);
