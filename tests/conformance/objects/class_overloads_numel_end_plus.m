% dialect: matlab
% oracle: Octave does not call end and numel of classdef objects
addpath('support')
w = Window(1, 'two', [3 3]);
numel(w), size(w), w(end), w(2), v = w + Window('more'); numel(v), v(end)
try, v.Items = {}; catch e, disp(e.message), end
