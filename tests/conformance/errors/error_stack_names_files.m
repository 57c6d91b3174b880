% The stack of an error names the file with its folder, as mfilename does.
try
    x = [1 2 3]; x(7)
catch e
    disp(strcmp(e.stack(1).file, mfilename('fullpathext')))
    disp(e.stack(1).line)
end
