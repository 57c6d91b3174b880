function a = radbasn(n)
% a = radbasn(n): radial basis outputs, of which those of each column have the sum 1.
a = exp(-n.^2);
a = a./sum(a, 1);
end
