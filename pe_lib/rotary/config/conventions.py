"""What the published code of a model takes for granted, and its configuration need not say.

Each table holds one fact, by ``model_type``, as Hugging Face transformers 5.23 has it (ChatGLM: as
THUDM's own code); the first one has the names of settings.
"""

from collections.abc import Mapping
from typing import Any

from pe_lib.common._checks import check_type

Source = Mapping[str, Any]  # the settings of a configuration, by name

# A setting's name here: all that it has had. Where a file has several, the first one counts.
NAMES = {
    "head_dim": "attention_head_dim head_dim kv_channels",
    "hidden_size": "embed_dim hidden_size n_embd d_model",
    "layer_types": "layer_types layers_block_type",
    "max_position_embeddings": "max_position_embeddings n_positions max_sequence_length seq_length",
    "no_rope_layer_interval": "no_rope_layer_interval nope_layer_interval",
    "num_attention_heads": (
        "num_attention_heads num_heads n_head n_heads encoder_num_attention_heads"
    ),
    "num_hidden_layers": "num_hidden_layers num_layers n_layer n_layers depth",
    "partial_rotary_factor": "partial_rotary_factor rotary_pct rope_pct rotary_emb_fraction",
    "position_embedding_type": (
        "position_embedding_type position_embeddings_type pos_embedding_type"
    ),
    "rope_interleave": "rope_interleave rope_interleaved rotary_emb_interleaved",
    "rope_local_base_freq": "rope_local_base_freq local_rope_theta swa_rope_theta",
    "rope_theta": (
        "rope_theta global_rope_theta rotary_emb_base rotary_embedding_base rope_embedding_base"
    ),
    "sliding_window_pattern": "sliding_window_pattern _sliding_window_pattern",
}


def _each(*groups: tuple[float, str]) -> dict[str, float]:
    """A number for each of the names."""
    return {name: number for number, names in groups for name in names.split()}


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


# The base where none is given; 10000 elsewhere.
THETAS = _each(
    (100, "dinov3 dinov3_vit eomt_dinov3 gemma4_vision sapiens2"),
    (1_000, "nomic_bert"),
    (1_200, "musicflamingo"),
    (20_000, "jina_embeddings_v3 pe_audio_encoder pe_audio_video_encoder pe_video_encoder"),
    (100_000, "helium"),
    (150_000, "gpt_oss openai_privacy_filter"),
    (160_000, "gte modernbert modernbert-decoder"),
    (500_000, "bitnet blt blt_global_transformer blt_local_decoder blt_local_encoder cohere csm"),
    (500_000, "csm_depth_decoder_model ernie4_5 ernie4_5_moe ernie4_5_vl_moe_text evolla"),
    (500_000, "flex_olmo llama4_text mllama_text_model muse_glimmer_assistant olmo3"),
    (500_000, "muse_spark_text"),
    (500_000, "paddleocr_vl_text qwen3_vl_text qwen3_vl_moe_text"),
    (1_000_000, "emu3_text_model gemma3_text gemma3n_text lfm2 lfm2_moe lfm3_vl_vision minimax"),
    (1_000_000, "mixtral phimoe qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text solar_open"),
    (1_000_000, "qwen2_5_omni_talker qwen3_omni_moe_text t5gemma2_decoder t5gemma2_text"),
    (2_000_000, "smollm3"),
    (5_000_000, "minimax_m2 minimax_m3_vl_text"),
    (6_000_000, "bailing_hybrid"),
    (10_000_000, "longcat_flash"),
    (11_158_840, "hy_v3"),
    (100_000_000, "cosmos3_edge_text"),
)
# The base of the layers with a window, where theirs is another one.
LOCAL_THETAS = _each(
    (10_000, "gemma3_text gemma3n_text modernbert modernbert-decoder t5gemma2_decoder"),
    (10_000, "t5gemma2_text"),
)
# The share of a head that is rotated, 1 elsewhere.
SHARES = _each(
    (0.2, "musicflamingo"),
    (0.25, "gpt_neox qwen3_5_text qwen3_5_moe_text qwen3_next stablelm stablelm_epoch"),
    (0.5, "bamba chatglm glm glm4 glm4_moe glm4v_moe_text glmasr_encoder nemotron persimmon phi"),
    (0.5, "recurrent_gemma"),
    (0.8, "moonshine_streaming"),
    (0.9, "moonshine"),
)
# The width of a head where it does not follow from the other widths, and older files leave it out.
HEAD_DIMS = _each((256, "gemma gemma2 gemma3_text gemma3n_text"))

# The layout of pairs, half-split elsewhere.
INTERLEAVED = _names(
    "axk1 axk2 bailing_hybrid blt blt_global_transformer blt_local_decoder blt_local_encoder "
    "blt_patcher chatglm codegen cohere cohere2 cohere2_moe deepseek_v2 deepseek_v3 "
    "deepseek_v32 deepseek_v4 dots3_note_text edgetam_video ernie4_5 ernie4_5_moe "
    "ernie4_5_vl_moe_text glm glm4 glm4_moe_lite glm4v_text glm_moe_dsa glm_ocr_text gptj "
    "helium inkling2_vision kimi_k2 llama4_text llama4_vision_model longcat_flash mistral4 "
    "mistral_large4_text moonshine moonshine_streaming musicflamingo openai_privacy_filter "
    "pe_audio_encoder pe_audio_video_encoder pe_video_encoder roformer sam2_video "
    "sam3_tracker_video sam3_vit_model youtu"
)
# nanochat turns the other way round; Gemma 4 has a half-split block of features for each axis.
NEITHER_LAYOUT = {"nanochat", "gemma4_vision"}

# In transformers, their code does not take a table that has every column twice, side by side.
TABLES_OF_THEIR_OWN = _names(
    "blt blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher cohere cohere2 "
    "cohere2_moe deepseek_v2 deepseek_v4 ernie4_5_vl_moe_text glm4v_text glm_ocr_text gpt_oss "
    "hunyuan_vl hunyuan_vl_text llama4_text mistral_large4_text musicflamingo "
    "openai_privacy_filter"
)
# The last features of a head are rotated. So they are where qk_rope_head_dim says how many.
ROTATES_LAST = {"deepseek_v4"}
# mscale_all_dim multiplies the scores too, squared.
SCORES_SCALED = _names(
    "axk1 axk2 bailing_hybrid deepseek_v2 deepseek_v3 deepseek_v32 glm4_moe_lite glm_moe_dsa hy_v4 "
    "kimi_k2 longcat_flash minicpm3 mistral4 mistral_large4_text youtu"
)
# A part of each head is rotated and the configuration has to say how wide it is.
ROTATED_APART = SCORES_SCALED | ROTATES_LAST | {"dots3_note_text"}

# Pairs for time, height and width, for pictures; a text has one position and does not need them.
SECTIONS = {
    **dict.fromkeys(("qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text"), (16, 24, 24)),
    **dict.fromkeys(("qwen3_vl_text", "qwen3_vl_moe_text", "qwen3_omni_moe_text"), (24, 20, 20)),
    **dict.fromkeys(("qwen3_5_text", "qwen3_5_moe_text", "qwen4_exp_text"), (11, 11, 10)),
    **dict.fromkeys(
        ("glm4v_text", "glm4v_moe_text", "glm_ocr_text", "glm_image_text"), (8, 12, 12)
    ),
    "ernie4_5_vl_moe_text": (22, 22, 20),
}
SECTIONS_INTERLEAVED = _names(
    "cosmos3_edge_text qwen3_vl_text qwen3_vl_moe_text qwen3_omni_moe_text qwen3_5_text "
    "qwen3_5_moe_text qwen4_exp_text"
)
# ERNIE 4.5 VL's are (height, width, time): the first two take turns, the time has the slowest.
TIME_LAST = {"ernie4_5_vl_moe_text"}
# The features of a pair are turned by different axes.
MIXED_PAIRS = {"hunyuan_vl", "hunyuan_vl_text"}

# Layers with a window rotate, those without do not.
ONLY_WINDOWS_ROTATE = _names(
    "afmoe cohere2 cohere2_moe exaone4 exaone4_5_text exaone_moe flint kolibri1 llama4_text"
)
# Every n-th layer sees the whole text, by the name of the setting that would say it.
FULL_INTERVALS = {
    ("cohere2", "sliding_window_pattern"): 4,
    ("exaone4", "sliding_window_pattern"): 4,
    ("gemma3_text", "sliding_window_pattern"): 6,
    ("modernbert", "global_attn_every_n_layers"): 3,
    ("qwen3_5_moe_text", "full_attention_interval"): 4,
    ("qwen3_5_text", "full_attention_interval"): 4,
    ("qwen3_next", "full_attention_interval"): 4,
}
# The scaling is for the layers without a window.
ONLY_FULL_STRETCHED = {"olmo3"}
# Every n-th layer is not rotated.
UNROTATED_INTERVALS = {"llama4_text": 4, "mistral_large4_text": 4, "smollm3": 4}

# Vision encoders turn by row and column, or by three coordinates, whatever their rope_type says.
AXES = {
    **dict.fromkeys(
        _names(
            "cohere_compass_vision dinov3 dinov3_vit dots3_note_vision_encoder eomt_dinov3 "
            "ernie4_5_vl_moe_vision exaone4_5_vision gemma4_vision glm4v_moe_vision glm4v_vision "
            "glm5_next_vision glm_ocr_vision inkling2_vision kimi_k25_vision lfm3_vl_vision "
            "llama4_vision_model mlcd_vision_model muse_glimmer_vision muse_spark_vision "
            "paddleocr_vl_vision pixtral qwen2_5_omni_vision_encoder qwen2_5_vl_vision "
            "qwen2_vl_vision qwen3_5_moe_vision qwen3_5_vision qwen3_omni_moe_vision_encoder "
            "qwen3_vl_moe_vision qwen3_vl_vision qwen4_exp_vision sam3_vit_model sapiens2 "
            "step3p5_vision video_llama_3_vision"
        ),
        2,
    ),
    "minimax_m3_vl_vision": 3,
}
# Settings that only vision encoders have.
OF_PICTURES = ("patch_size", "spatial_merge_size", "depth", "rope_mode")

# In the vision encoder, the column has the first pairs, or every other one from the first on.
COLUMN_FIRST = _names("inkling2_vision step3p5_vision")
COLUMN_AND_ROW_IN_TURN = _names("kimi_k25_vision")
# A picture goes from -1 to 1, and frequencies count turns, not radians.
IN_TURNS = {"dinov3", "dinov3_vit", "eomt_dinov3", "sapiens2"}
# The columns have frequencies of their own, between those of the rows.
COLUMNS_BETWEEN = {"pixtral"}

# Models that rotate though older files of theirs do not say anything about it.
SILENT = _names("codegen esm falcon gemma gemma2 gptj internlm llama mistral qwen roformer xverse")
# Models of which nothing above is true: half-split pairs, whole heads, a base of 10000 where their
# files give none.
PLAIN = _names(
    "afmoe arcee aria_text beam chameleon clip_vision_model dbrx deepseek deepseek_ocr2_encoder "
    "deepseek_ocr2_text dia_decoder dia_encoder diffllama doge dots1 esmc eurobert exaone "
    "exaone4 exaone4_5_text exaone_moe falcon_h1 flint gpt_neox_japanese gradium_phonon_tts "
    "granite granite4_vision_text granite_docling_text granite_swa granitemoe granitemoe_swa "
    "granitemoeshared hrm_text hunyuan hunyuan_v1_dense hunyuan_v1_moe hy_v4 hyperclovax "
    "idefics internlm2 internlm3 iquestcoder jais2 jetmoe kolibri1 kyutai_speech_to_text "
    "lasr_encoder mimi mimi_decoder mimi_encoder mimo minicpm minicpm3 ministral mlcd "
    "molmo2_text moshi muse_glimmer_text nemotron-nas nemotron3_diarization_audio neucodec olmo "
    "olmo2 olmo_hybrid olmoe orion paddleocr_vl phi-msft phi3 phi3_v phi4_multimodal phi4mm "
    "pocket_tts pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder "
    "pocket_tts_audio_tokenizer_encoder qwen2 qwen2_moe qwen3 qwen3_moe "
    "qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text seed_oss starcoder2 "
    "step3p5 t5_gemma_module timesfm2_5 unlimited_ocr_text vaultgemma voxtral_realtime_encoder "
    "voxtral_realtime_text xcodec2 zamba2"
)
# The same but for base and share, which their files always give.
GIVEN = _names(
    "EvollaModel apertus cohere_compass_text cwm diffusion_gemma_text dots3_note_audio_encoder "
    "embedding_gemma2_text gemma4_text gemma4_unified_text higgs_audio_v2 laguna lfm3 mellum "
    "mimo_v2_flash ministral3 nemotron3_5_transcribe_asr_audio "
    "nemotron3_5_transcribe_word_timestamp ultrabert zaya"
)
# Models of language that do not rotate, whatever else their configuration says.
UNROTATED = _names(
    "albert bart bert bigbird_pegasus bloom camembert canine ctrl deberta deberta-v2 distilbert "
    "electra ernie fnet glm5_next_text gpt2 gpt_bigcode gpt_neo ibert jamba kimi_linear led "
    "longformer longt5 luke m2m_100 mamba mamba2 marian mbart mpnet mpt mt5 mvp nemotron_h opt "
    "pegasus prophetnet roberta rwkv switch_transformers t5 umt5 xglm xlm xlm-roberta xlnet xmod "
    "zamba"
)

# Models that rotate only where position_embedding_type is this word.
ROTATES_IF_SAID = {
    "esm": "rotary",
    "granitemoehybrid": "rope",
    "seamless_m4t": "rotary",
    "wav2vec2-bert": "rotary",
    "wav2vec2-conformer": "rotary",
}

REFUSED = {
    "baichuan": "its 7B models rotate (give rope_theta), its 13B models have ALiBi",
    "efficientloftr": "its axes take turns from pair to pair",
    "mistral_large4_text": "its frequencies are multiplied by numbers that it has learned",
    "neomme": "row and column take turns from pair to pair",
    "qwen2_5_omni_dit": "it rotates the first head only",
}
# Settings that change the positions in ways that no encoding here has, unless they are off.
REFUSED_SETTINGS = {
    "position_encoding_2d": False,  # ChatGLM's first version
    "rope_position_scale": 1,  # Phi-3-small
    "rope_hf_config": None,  # MPT's name for a scaling
    "rope_is_neox_style": True,  # PaddleOCR-VL
    "use_dynamic_ntk": False,  # Qwen's first version: steps of its own
}

# What else is read of a configuration though its name begins as that of a rotary setting.
READ = {
    *" ".join(NAMES.values()).split(),
    *REFUSED_SETTINGS,
    *("rope_parameters", "rope_scaling", "rope_scaling_layers", "rope_ratio", "rope_mode"),
    *("qk_rope_head_dim", "rotary_dim"),
}

TEXT = THETAS.keys() | SECTIONS.keys()
ROTATING = TEXT | SHARES.keys() | INTERLEAVED | AXES.keys() | SILENT
# Models whose code is known as far as it bears on positions: nothing is assumed about them.
KNOWN = ROTATING | PLAIN | GIVEN | NEITHER_LAYOUT | MIXED_PAIRS | ROTATES_IF_SAID.keys()


def named(settings: Source) -> dict[str, Any]:
    """The settings that are not None, also by the names that they have here.

    Example:
        >>> named({"n_head": 4, "head_dim": None, "kv_channels": 64})
        {'n_head': 4, 'kv_channels': 64, 'head_dim': 64, 'num_attention_heads': 4}
    """
    given = {name: value for name, value in settings.items() if value is not None}
    for name, names in NAMES.items():
        if first := next((other for other in names.split() if other in given), None):
            given[name] = given[first]
    return given


def model_type_of(source: Source) -> str:
    """The name under which the tables above know the model of this configuration."""
    name = source.get("model_type") or ""
    check_type(name, "model_type", str, "a str or None")
    if source.get("rope_mode") == "3d":  # MiniMax-M3 calls its vision encoder CLIP's
        return "minimax_m3_vl_vision"
    sees = any(setting in source for setting in (*OF_PICTURES, "num_heads"))
    if sees and f"{name}_vision" in AXES:
        return f"{name}_vision"  # older files have one name for all of a model's parts
    return f"{name}_text" if f"{name}_text" in TEXT else name
