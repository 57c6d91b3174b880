% oracle: MATLAB's identifiers
function f(varargin), narginchk(1, 2); disp('ok'); end
try, f(); catch e, disp(e.identifier); end, f(1); try, f(1, 2, 3); catch e, disp(e.identifier); end
