function d = bi2de(b, varargin)
% d = bi2de(b): the numbers whose binary digits are in the rows of b, the lowest first.
%   bi2de(b, p): digits to the base p. bi2de(..., 'left-msb'): the highest first.
[base, flag] = digits_options('bi2de', varargin);
if isempty(b) || any(b(:) < 0 | b(:) ~= round(b(:)) | b(:) >= base)
    error('comm:bi2de:InvalidInput', 'The digits must be whole numbers from 0 to %d.', base - 1);
end
b = double(b);
if strcmp(flag, 'left-msb')
    b = fliplr(b);
end
d = b*base.^(0:size(b, 2) - 1)';
end

function [base, flag] = digits_options(name, args)
[base, flag] = deal(2, 'right-msb');
for k = 1:numel(args)
    if ischar(args{k}) || isstring(args{k})
        flag = validatestring(args{k}, {'right-msb', 'left-msb'}, name);
    elseif ~isempty(args{k})
        base = args{k};
    end
end
end
