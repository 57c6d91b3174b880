classdef DialChild < Dial
    methods
        function tune(d), d.Tuned = 7; end
    end
end
