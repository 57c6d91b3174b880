% dialect: matlab
addpath('support')
dbtype ascript
dbtype make_counter.m 1:2
try, dbtype nosuchfile, catch e, disp(e.message), end
