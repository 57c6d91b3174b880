function source(file)
% source(file): runs the text of a file where it is called, as Octave does; functions that it defines are known from then on.
evalin('caller', fileread(file));
end
