% dialect: matlab
% oracle: Octave gives classdef methods single steps
addpath('support')
p = Probe;
p.data.a{2}
p.data.a{2} = 'new';
q = p.data.a{end};
r = p(1).data.a(1:2);
if isempty(p.data), disp('empty'), end
