#!/bin/sh
# table.sh BUILD FILE.csv: errors against evaluations of the solvers of SUNDIALS and of steppers of this bench.
set -eu
"$1/stepbench" --plugin "$1/sundials.so" workprec -p kepler:e=0.6 -p andrews -p car_axis -p dsp \
    -s cvode -s cvode:method=bdf -s arkode -s ida -s ida:index=1 \
    -s odeiv2 -s odeiv2:method=msadams -s odeiv2:method=msbdf -s 'adaptive(radau_iia):stages=3' \
    -s 'adaptive(radau_iia):stages=3,index=3' --scales 40 --tol 1e-4,1e-6,1e-8,1e-10 \
    --columns problem,stepper,tol,steps,rejected,err_relative,evaluations,force,jacobian,constraint,mass,factor,status \
    --digits 3 -o "$2"
