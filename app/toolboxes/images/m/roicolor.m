function BW = roicolor(A, low, high)
% BW = roicolor(A, low, high): where low <= A <= high. roicolor(A, v): where A is one of the values v.
if nargin > 2
    BW = A >= low & A <= high;
else
    BW = ismember(A, low);
end
end
