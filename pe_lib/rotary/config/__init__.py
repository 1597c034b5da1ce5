"""Reads a model's rotary settings from the configuration that is published with it.

``read`` goes from a configuration to ``settings``. On the way ``source`` finds keys under all their
names, ``layers`` the rotary dict of the layers that are meant (``layer_types``: which there are),
``scaling`` how positions are stretched, ``pictures`` what is for models that see, and
``conventions`` what stands in the models' code alone.
"""
