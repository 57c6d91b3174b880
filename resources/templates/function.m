function y = untitled(x, options)
%UNTITLED  What it computes, in one line.
%   y = untitled(x) says how it is called.
arguments
    x double
    options.scale (1,1) double = 1
end

y = options.scale * x;
end
