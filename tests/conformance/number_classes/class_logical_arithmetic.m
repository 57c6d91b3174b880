true + true
-true
true * 3
class(!true)
true / false
