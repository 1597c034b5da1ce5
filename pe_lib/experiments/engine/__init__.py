"""What experiments have in common that train the same small model with every kind of position.

An experiment says which runs there are (``runs``), how one is trained (``training``) and measured
(``work``). In return it has a plan, a tuning, several seeds, any number of processes that may stop
and go on at any time (``work``, ``share``), commands (``command``), and tables that name the code
and the machine of every number (``tables``).
"""
