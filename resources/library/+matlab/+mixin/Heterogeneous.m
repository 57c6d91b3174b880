classdef (Abstract) Heterogeneous
    % Classes whose objects may stand in one array with those of other classes of their hierarchy.
end
