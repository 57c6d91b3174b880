function a = softmax(n)
% a = softmax(n): exponentials of each column divided by their sum.
e = exp(n - max(n, [], 1));
a = e./sum(e, 1);
end
