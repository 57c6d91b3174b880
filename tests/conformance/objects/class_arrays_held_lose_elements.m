% dialect: matlab
% oracle: Octave has no arrays of classdef objects
addpath('support')
n = Node(1); n.next = [Point(1, 2) Point(3, 4) Point(5, 6)];
n.next(2) = []; size(n.next), n.next(2).x
s.list = {[Point(1, 2) Point(3, 4)]}; s.list{1}(1) = []; s.list{1}.x
n.next(:) = []; size(n.next)
p = Probe; p.data.a(2) = []; numel(p.data.a)
try, s.list{1}(5) = []; catch e, disp(e.message), end
