% oracle: the text of the error is MATLAB's
% dialect: matlab
function use(q), if q ~= fix(q), disp('no'); end, end
function add(q), x = q + fix(q); disp(x), end
try, use(), catch e, disp(e.message), end
try, add(), catch e, disp(e.message), end
use(2.5), add(1.5)
