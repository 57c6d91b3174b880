% oracle: MATLAB's identifier
function r = deep(n), r = deep(n + 1); end
try, deep(1); catch e, disp(e.identifier), end
disp('alive');
