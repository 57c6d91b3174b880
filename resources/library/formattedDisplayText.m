function t = formattedDisplayText(x, options)
% t = formattedDisplayText(x): what disp(x) shows, as a string.
% Options: NumericFormat, LineSpacing (those of format) and SuppressMarkup, which texts without any keep.
arguments
    x
    options.NumericFormat (1, 1) string
    options.LineSpacing (1, 1) string
    options.SuppressMarkup (1, 1) logical = true
end
before = format;
restore = onCleanup(@() format(before));
if isfield(options, 'NumericFormat')
    format(options.NumericFormat)
end
if isfield(options, 'LineSpacing')
    format(options.LineSpacing)
end
t = string(evalc('disp(x)'));
end
