classdef Bag < Named & Sized
    events
        Filled
    end
    methods
        function obj = Bag(name)
            obj@Named(name);
            obj@Sized();
        end
        function fill(obj, n)
            grow(obj, n);
            notify(obj, 'Filled');
        end
        function r = greet(obj)
            r = [greet@Named(obj) ' with ' num2str(obj.Count)];
        end
        function r = reveal(obj)
            r = obj.hidden();
        end
    end
    methods (Static)
        function obj = pair(name)
            obj = [Bag([name '1']) Bag([name '2'])];
        end
    end
end
