% Game of Life on an n x n torus, 100 generations.
G0 = reshape(mod((1:n*n)' * 0.6180339887498949, 1).^2 > 0.4, n, n);
%% Work
G = G0;
for t = 1:100
    near = zeros(n, 'single');
    for dx = -1:1
        for dy = -1:1
            if dx ~= 0 || dy ~= 0
                near = near + circshift(G, [dx dy]);
            end
        end
    end
    G = near == 3 | (G & near == 2);
end
result = sum(G(:)) / numel(G);
