% oracle: classes
% An access method leaves out itself, not those of the same name in other classes.
addpath('support'); truck = Lorry(); disp(truck.Total)
truck.Load(2) = Parcel(); truck.Load(2).Weights = [4 5 6]; disp(truck.Total)
truck.Total = 12; disp(truck.Load(1).Weights); disp(truck.Load(2).Weights)
disp(size(truck.Load(1).Unknown))
