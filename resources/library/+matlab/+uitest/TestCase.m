classdef (Abstract) TestCase < matlab.unittest.TestCase
    % Tests of apps. What they check of figures and components runs as in any test; gestures
    %   (press, choose, drag, type, hover, scroll ...) are refused: no hand moves a pointer here.
    methods
        function press(~, varargin)
            refuse('press');
        end

        function choose(~, varargin)
            refuse('choose');
        end

        function drag(~, varargin)
            refuse('drag');
        end

        function type(~, varargin)
            refuse('type');
        end

        function hover(~, varargin)
            refuse('hover');
        end

        function scroll(~, varargin)
            refuse('scroll');
        end

        function chooseContextMenu(~, varargin)
            refuse('chooseContextMenu');
        end

        function dismissDialog(~, varargin)
            refuse('dismissDialog');
        end
    end
end

function refuse(gesture)
% Say that a gesture is not performed.
error('MATLAB:uitest:GestureNotSupported', ...
    'The gesture ''%s'' is not performed: call the callback of the component instead.', gesture);
end
