% oracle: Octave ignores arguments blocks
% dialect: matlab
show(1); show(1, Size = 3); show(1, 'Size', 4, 'Label', "q");
function show(x, opts)
arguments
    x
    opts.Size (1,1) double = 2
    opts.Label (1,1) string = "none"
end
fprintf('%d %d %s\n', x, opts.Size, opts.Label);
end
