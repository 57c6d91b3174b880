function a = logsig(n)
% a = logsig(n): 1/(1 + exp(-n)).
a = 1./(1 + exp(-n));
end
