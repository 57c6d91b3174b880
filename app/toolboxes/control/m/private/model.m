function [sys, rest] = model(args)
% The model in discrete time that num, den or A, B, C, D in front of other inputs are, and those.
if numel(args) > 3
    [sys, rest] = deal(ss(args{1:4}, 1), args(5:end));
elseif numel(args) > 1
    [sys, rest] = deal(tf(args{1:2}, 1), args(3:end));
else
    error('MATLAB:minrhs', 'Not enough input arguments.');
end
end
