function B = imguidedfilter(A, varargin)
% B = imguidedfilter(A), imguidedfilter(A, G, ...): A smoothed where its guide G (A itself) is smooth, edges kept (He, Sun and Tang, 2013).
%   Options: 'NeighborhoodSize' ([5 5]) and 'DegreeOfSmoothing' (0.01 of the squared range of G's class). A guide in colours is refused.
G = A;
if ~isempty(varargin) && isnumeric(varargin{1}), [G, varargin] = deal(varargin{1}, varargin(2:end)); end
range = 1;
if isinteger(G), range = double(intmax(class(G))) - double(intmin(class(G))); end
o = struct('NeighborhoodSize', [5 5], 'DegreeOfSmoothing', 0.01*range^2);
for k = 1:2:numel(varargin)
    name = validatestring(varargin{k}, fieldnames(o), 'imguidedfilter');
    if k == numel(varargin), error('images:imguidedfilter:missingValue', 'The option %s lacks its value.', name); end
    o.(name) = varargin{k + 1};
end
if size(G, 3) > 1 && ~isequal(size(G), size(A)), error('images:imguidedfilter:colourGuide', 'A guide in colours serves the same picture only.'); end
if ~isequal([size(A, 1) size(A, 2)], [size(G, 1) size(G, 2)]), error('images:imguidedfilter:sizeMismatch', 'A and G must have the same rows and columns.'); end
box = ones(o.NeighborhoodSize(:)'.*[1 1]);
box = box/numel(box);
mean_ = @(x) imfilter(x, box, 'replicate');
B = zeros(size(A), 'like', A);
for k = 1:size(A, 3)
    p = double(A(:, :, k));
    g = double(G(:, :, min(k, size(G, 3))));
    [mp, mg] = deal(mean_(p), mean_(g));
    a = (mean_(g.*p) - mg.*mp)./(max(mean_(g.*g) - mg.^2, 0) + o.DegreeOfSmoothing);
    B(:, :, k) = cast(mean_(a).*g + mean_(mp - a.*mg), 'like', A);
end
end
