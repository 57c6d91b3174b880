function [sys, n] = sampled(args)
% A model in discrete time, and how many samples of a response are asked for; until it has settled where none is said.
[sys, rest] = model(args);
if numel(args) > 4
    sys = sys(:, rest{1});
    rest(1) = [];
end
if isempty(rest)
    [~, t] = step(sys);
    n = numel(t);
else
    n = rest{1};
end
end
