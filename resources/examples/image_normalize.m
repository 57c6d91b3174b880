%% Normalising a batch of 4K images
% Statistics per image, then gain, bias, clamp and gamma: one pass to measure,
% one to write.

height = 2160;
width = 3840;
batch = 2;

rng(7);
images = rand(batch, height, width, 'single');
gain = single(1.0123);
bias = single(-0.02);
gamma = single(1.8);

mu = mean(images, [2 3]);
sigma = sqrt(mean((images - mu) .^ 2, [2 3]) + 1e-6);
out = (images - mu) ./ sigma;
out = max(out * gain + bias, 0);
out = out .^ gamma;

fprintf('mean before %.4f, after %.4f\n', mean(images, 'all'), mean(out, 'all'));

%% The first image, drawn from the device
first = reshape(out(1, :, :), height, width);
imagesc(first);
colorbar;
title('normalised');
