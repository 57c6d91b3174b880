function j = roifilt2(h, a, bw, varargin)
% J = roifilt2(h, I, BW): the image filtered by h where BW is true; roifilt2(I, BW, fun): by a function.
if isa(bw, 'function_handle')
    [f, image_, mask] = deal(bw, h, a);
    made = f(image_, varargin{:});
else
    [image_, mask] = deal(a, bw);
    made = imfilter(image_, h);
end
j = image_;
mask = mask ~= 0;
j(mask) = made(mask);
end
