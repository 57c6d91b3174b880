function a = radbas(n)
% a = radbas(n): exp(-n^2).
a = exp(-n.^2);
end
