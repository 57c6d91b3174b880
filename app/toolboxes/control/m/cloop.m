function [a, b, c, d] = cloop(varargin)
% [num, den] = cloop(num, den, sign): the loop closed with unity feedback, negative unless sign is 1;
%   [A, B, C, D] = cloop(A, B, C, D, sign) in state space.
narginchk(2, 5);
sign = -1;
count = nargin;
if any(count == [3 5])
    sign = varargin{end};
    count = count - 1;
end
if count == 2
    [a, b] = tfdata(feedback(tf(varargin{1:2}), 1, sign), 'v');
elseif count == 4
    outputs = size(varargin{4}, 1);
    [a, b, c, d] = ssdata(feedback(ss(varargin{1:4}), eye(outputs), sign));
else
    error('Control:combination:cloop1', 'cloop takes num, den or A, B, C, D, and a sign.');
end
end
