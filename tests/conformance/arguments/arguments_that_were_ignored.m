% dialect: matlab
% oracle: kmeans and pca are MATLAB's; Octave's plot needs a display
c = kmeans([1; 1.1; 9; 9.1], 2, 'Start', [9; 1])'
[coeff, score, latent] = pca([1 2; 3 4; 6 9; 2 1], 'NumComponents', 1); size(score)
for k = [0 -1 4 1.5 NaN], try, pca([1 2; 3 4; 6 9; 2 1], 'NumComponents', k), catch e, disp(e.identifier), end, end
x = imdilate([0 0 0 0; 0 1 0 0; 0 0 0 0], ones(2)), y = imerode([1 1 1; 1 0 1; 1 1 1], ones(2))
z = imfill(logical([1 1 1 1; 1 0 1 0; 1 1 1 0]), [2 4])
r = rmmissing([1 NaN; NaN NaN], 'MinNumMissing', 2)
h = plot(1:3, 5, 'ro'); numel(h), h(2).XData
b = [bessely(2, -1.5) besselk(1, 0)]
for f = {@() kmeans([1; 2], 1, 'Foo', 1), @() pca([1 2; 3 4], 'Weights', [1 2]), @() imfill(true(3)), ...
        @() max([1 2; 3 4], 0, 2), @() complex(1+2i, 2), @() friedman(magic(3), 2)}
    try
        f{1}()
    catch e
        disp(e.message)
    end
end
