function a = tribas(n)
% a = tribas(n): 1 - |n| where that is positive, else 0.
a = max(0, 1 - abs(n));
end
