function varargout = imsplit(image)
% [c1, c2, ...] = imsplit(image): the channels of an image, each as an image of its own.
if nargout > size(image, 3) && nargout > 1
    error('images:imsplit:tooManyOutputs', ...
        'The image has %d channels: it cannot be split into %d.', size(image, 3), nargout);
end
varargout = cell(1, max(nargout, 1));
for k = 1:numel(varargout)
    varargout{k} = image(:, :, k);
end
end
