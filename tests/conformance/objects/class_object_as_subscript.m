% dialect: matlab
% oracle: Octave's objects of a classdef are no subscripts
addpath('support'), A = 10:10:100;
disp(A(Places([1 3]))), disp(A(Places([1; 3]))), A(Places(2)) = 0; disp(A(1:3)), B = magic(4); disp(B(Places([1 4]), 2))
try, A(Dial), catch e, disp(e.message), end
