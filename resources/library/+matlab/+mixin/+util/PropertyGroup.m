classdef PropertyGroup
    % Properties that are displayed together, under a title.
    properties
        Title = ''
        PropertyList = {}
    end

    methods
        function group = PropertyGroup(list, title)
            if nargin > 0
                group.PropertyList = list;
            end
            if nargin > 1
                group.Title = title;
            end
        end
    end
end
