%% What this script does
% Sections begin with %% and run with Ctrl+Enter.

n = 1e6;
x = rand(n, 1);

%% Result
y = sin(x) .* x;
fprintf('mean %.4f\n', mean(y));
