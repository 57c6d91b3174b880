function t = formattedDisplayText(x, varargin)
% t = formattedDisplayText(x): what disp(x) shows, as a string.
if ~isempty(varargin)
    error('MATLAB:formattedDisplayText:UnknownOption', ...
        'formattedDisplayText has no option ''%s'': set the format before it is called.', char(varargin{1}));
end
t = string(evalc('disp(x)'));
end
