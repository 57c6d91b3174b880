function z = imlincomb(varargin)
% z = imlincomb(k1, A1, k2, A2, ..., k, class): the sum of images times numbers, and of a last number, computed
%   in double and rounded once to the class (of the first image).
args = varargin;
if isempty(args), error('MATLAB:minrhs', 'Not enough input arguments.'); end
class_ = '';
if ischar(args{end}) || isstring(args{end})
    class_ = char(args{end});
    args(end) = [];
end
if isempty(class_), class_ = class(args{2}); end
z = 0;
for k = 1:2:numel(args)
    if k < numel(args), z = z + args{k}*double(args{k + 1}); else, z = z + args{k}; end
end
z = cast(z, class_);
end
