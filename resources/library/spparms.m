function [out, values] = spparms(key, value)
% Parameters of MATLAB's own routines for sparse matrices.
%   spparms('key', value) sets one, spparms(values) all; 'default' and 'tight' name sets of them.
%   values = spparms, [keys, values] = spparms and value = spparms('key') say what they are; spparms
%   alone shows them. They are kept for programs that ask: solvers choose by the structure of a
%   matrix, and no parameter changes what they give.
persistent held
keys = ['spumoni'; 'thr_rel'; 'thr_abs'; 'exact_d'; 'supernd'; 'rreduce'; 'wh_frac'; 'autommd'; ...
    'autoamd'; 'piv_tol'; 'bandden'; 'umfpack'; 'sym_tol'];
ordinary = [0; 1.1; 1; 0; 3; 3; 0.5; 1; 1; 0.1; 0.5; 1; 0.001];
if isempty(held)
    held = ordinary;
end
if nargin == 0
    if nargout == 0
        for k = 1:numel(held)
            fprintf('%s: %g\n', keys(k, :), held(k));
        end
    elseif nargout == 1
        out = held;
    else
        [out, values] = deal(keys, held);
    end
elseif nargin == 1 && isnumeric(key)
    if numel(key) > numel(held)
        error('MATLAB:spparms:TooManyValues', 'There are %d parameters.', numel(held));
    end
    held(1:numel(key)) = key(:);
elseif nargin == 1 && strcmpi(key, 'default')
    held = ordinary;
elseif nargin == 1 && strcmpi(key, 'tight')
    held(2:7) = [1; 0; 1; 1; 1; 0.5];
else
    at = find(strcmpi(cellstr(keys), key));
    if isempty(at)
        error('MATLAB:spparms:UnknownKey', 'spparms has no parameter ''%s''.', key);
    elseif nargin == 1
        out = held(at);
    else
        held(at) = value;
    end
end
end
